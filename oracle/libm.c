/* C's library on binary32, for numbers.ml: OCaml has it on binary64 only. */
#include <math.h>

double calque_expf(double x) { return (double)expf((float)x); }
double calque_logf(double x) { return (double)logf((float)x); }
double calque_tanhf(double x) { return (double)tanhf((float)x); }
double calque_erff(double x) { return (double)erff((float)x); }
double calque_powf(double x, double y) { return (double)powf((float)x, (float)y); }
