/* zoo ARCH -o OUT.onnx: writes a real architecture as ONNX with seeded weights. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"

/* Opsets of the nets that PyTorch exports: if none is given, the least, the greatest. */
enum { TORCH_OPSET = 17, TORCH_LEAST = 14, TORCH_MOST = 22 };

struct arch {
    const char *name, *words;
    void (*net)(struct build *b, long image);
    long image, least;
    int opset /* 0: as given */, depth, lowered;
};

static const struct arch archs[] = {
    {"squeezenet", "SqueezeNet 1.1", zoo_squeezenet, 224, 32, 13, 0, 0},
    {"resnet50", "ResNet-50", zoo_resnet50, 224, 32, 13, 0, 0},
    {"inception_v3", "Inception-v3", zoo_inception_v3, 299, 75, 13, 0, 0},
    {"inception_v3_lowered", "the same without batch normalisations", zoo_inception_v3, 299, 75, 13, 0, 1},
    {"transformer", "one transformer encoder layer; image is the sequence length", zoo_transformer, 64, 1, 13, 0, 0},
    {"encoder_decoder", "transformer 6/64/4/128, batch 4; image is the sequence length", zoo_encoder_decoder, 16, 1, 17, 6, 0},
    {"nasnet", "NASNet-A 6 @ 768, batch 4", zoo_nasnet, 32, 4, 13, 6, 0},
    {"resnet20", "ResNet-20 for small images, batch 4", zoo_resnet_cifar, 32, 4, 13, 3, 0},
    {"alexnet", "AlexNet", zoo_alexnet, 224, 67, 9, 0, 0},
    {"zfnet512", "ZFNet-512", zoo_zfnet512, 224, 59, 9, 0, 0},
    {"vgg19", "VGG-19", zoo_vgg19, 224, 32, 9, 0, 0},
    {"inception_v1", "Inception-v1, GoogLeNet", zoo_inception_v1, 224, 63, 9, 0, 0},
    {"inception_v2", "Inception-v2", zoo_inception_v2, 224, 32, 9, 0, 0},
    {"densenet121", "DenseNet-121", zoo_densenet121, 224, 32, 9, 0, 0},
    {"shufflenet", "ShuffleNet, 4 groups", zoo_shufflenet, 224, 32, 9, 0, 0},
    {"mobilenet_v2", "MobileNet-v2 as PyTorch exports it", zoo_mobilenet_v2, 224, 32, 0, 0, 0},
    {"vit", "ViT-B/16 as PyTorch exports it", zoo_vit, 224, 4, 0, 12, 0},
    {"bert", "causal BERT as PyTorch exports it; image is the number of positions", zoo_bert, 512, 1, 0, 12, 0},
    {"llama", "LLaMA with KV cache as PyTorch exports it; image is the number of positions", zoo_llama, 2048, 1, 0, 1, 0},
};

static int usage(FILE *f, int status)
{
    fprintf(f, "usage: zoo ARCH -o OUT.onnx [--image N] [--width W] [--depth N] [--seed S] [--batch NAME]\n"
               "           [--opset N]\n"
               "  --batch NAME         dimension 0 of inputs and outputs is open and called so\n"
               "  --opset N            as PyTorch exports it: up to 17 by TorchScript, from 18 on by torch.export (default 17)\n");
    for (size_t i = 0; i < sizeof archs / sizeof *archs; i++)
        fprintf(f, "  %-20s %s (image %ld)\n", archs[i].name, archs[i].words, archs[i].image);
    return status;
}

static int save(const char *path, const unsigned char *data, size_t n)
{
    FILE *f = fopen(path, "wb");
    int ok = f && fwrite(data, 1, n, f) == n;
    if (f && fclose(f) != 0)
        ok = 0;
    if (!ok)
        fprintf(stderr, "zoo: cannot write %s\n", path);
    return ok ? 0 : 2;
}

static int fits(const struct arch *arch, long image, long depth, long opset)
{
    int sized = image >= arch->least && image <= 4096, deep = depth >= 0 && depth <= 1000 && (depth == 0 || arch->depth > 0);
    int versioned = opset == 0 || (arch->opset == 0 && opset >= TORCH_LEAST && opset <= TORCH_MOST);

    if (!sized)
        fprintf(stderr, "zoo: %s needs an image of %ld to 4096\n", arch->name, arch->least);
    if (!deep)
        fprintf(stderr, "zoo: %s has no depth %ld\n", arch->name, depth);
    if (!versioned)
        fprintf(stderr, "zoo: %s is not of opset %ld\n", arch->name, opset);
    return sized && deep && versioned;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"image", 1, 0, 'i'}, {"width", 1, 0, 'w'}, {"depth", 1, 0, 'd'}, {"seed", 1, 0, 's'},
                                            {"batch", 1, 0, 'b'}, {"opset", 1, 0, 'O'}, {"help", 0, 0, 'h'},  {0, 0, 0, 0}};
    const struct arch *arch = NULL;
    const char *out = NULL, *batch = NULL;
    long image = 0, depth = 0, opset = 0;
    double width = 1;
    unsigned long seed = 1;
    struct build b;
    unsigned char *data;
    size_t n;
    int c;

    while ((c = getopt_long(argc, argv, "o:i:w:d:s:h", options, NULL)) != -1) {
        if (c == 'o')
            out = optarg;
        else if (c == 'i')
            image = atol(optarg);
        else if (c == 'w')
            width = atof(optarg);
        else if (c == 'd')
            depth = atol(optarg);
        else if (c == 'O')
            opset = atol(optarg);
        else if (c == 'b')
            batch = optarg;
        else if (c == 's')
            seed = strtoul(optarg, NULL, 10);
        else
            return usage(c == 'h' ? stdout : stderr, c == 'h' ? 0 : 2);
    }
    for (size_t i = 0; optind < argc && i < sizeof archs / sizeof *archs; i++)
        if (strcmp(argv[optind], archs[i].name) == 0)
            arch = &archs[i];
    if (!arch || !out || !(width > 0 && width <= 8))
        return usage(stderr, 2);
    if (image == 0)
        image = arch->image;
    if (!fits(arch, image, depth, opset))
        return 2;
    if (opset == 0)
        opset = arch->opset ? arch->opset : TORCH_OPSET;
    build_init(&b, arch->name, (int)opset, seed, width);
    b.depth = depth > 0 ? (int)depth : arch->depth;
    b.lowered = arch->lowered;
    b.batch = batch;
    arch->net(&b, image);
    data = build_finish(&b, &n);
    printf("%s: %zu nodes, %zu initializers, %zu bytes\n", out, b.graph.n_node, b.graph.n_initializer, n);
    return save(out, data, n);
}
