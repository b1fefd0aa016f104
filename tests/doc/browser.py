"""A headless Chromium by its debugging pipe, with the standard library alone."""
import base64
import fcntl
import json
import os
import shutil
import subprocess
import tempfile

NAMES = ('chromium', 'chromium-browser', 'google-chrome', 'chrome-headless-shell')


def find():
    return next((p for p in map(shutil.which, NAMES) if p), None)


class Browser:
    def __init__(self, program):
        low_read, self.out = os.pipe()
        self.inn, low_write = os.pipe()
        to_read, to_write = (fcntl.fcntl(f, fcntl.F_DUPFD, 10) for f in (low_read, low_write))
        self.home = tempfile.mkdtemp()
        # The pipe is on the descriptors 3 and 4 of the browser.
        command = 'exec "$0" "$@" 3<&%d 4>&%d %d<&- %d>&-' % (to_read, to_write, to_read, to_write)
        self.process = subprocess.Popen(
            ['bash', '-c', command, program, '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
             '--hide-scrollbars', '--user-data-dir=' + self.home, '--remote-debugging-pipe', 'about:blank'],
            pass_fds=(to_read, to_write), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for f in (low_read, low_write, to_read, to_write):
            os.close(f)
        self.number, self.session, self.buffer, self.events = 0, None, b'', []
        target = next(t for t in self.ask('Target.getTargets')['targetInfos'] if t['type'] == 'page')
        self.session = self.ask('Target.attachToTarget', targetId=target['targetId'], flatten=True)['sessionId']
        self.ask('Page.enable')

    def message(self):
        while b'\0' not in self.buffer:
            part = os.read(self.inn, 1 << 20)
            if not part:
                raise EOFError('the browser has ended')
            self.buffer += part
        text, _, self.buffer = self.buffer.partition(b'\0')
        return json.loads(text)

    def ask(self, method, **params):
        self.number += 1
        request = {'id': self.number, 'method': method, 'params': params}
        if self.session:
            request['sessionId'] = self.session
        os.write(self.out, json.dumps(request).encode() + b'\0')
        while True:
            m = self.message()
            if m.get('id') == self.number:
                if 'error' in m:
                    raise RuntimeError('%s: %s' % (method, m['error']))
                return m['result']
            self.events.append(m.get('method'))

    def view(self, width, height, dark=False):
        self.ask('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.ask('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])

    def open(self, path):
        """By way of the empty page: a new place in the page that is open already would load nothing."""
        name, _, anchor = path.partition('#')
        for url in ('about:blank', 'file://' + os.path.abspath(name) + ('#' + anchor if anchor else '')):
            self.load(url)

    def load(self, url):
        self.events = []
        self.ask('Page.navigate', url=url)
        while 'Page.loadEventFired' not in self.events:
            self.events.append(self.message().get('method'))

    def value(self, expression):
        answer = self.ask('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in answer:
            raise RuntimeError(answer['exceptionDetails'])
        return answer['result'].get('value')

    def picture(self, path, whole=True):
        data = base64.b64decode(self.ask('Page.captureScreenshot', format='png', captureBeyondViewport=whole)['data'])
        with open(path, 'wb') as f:
            f.write(data)
        return data

    def pdf(self, path):
        data = base64.b64decode(self.ask('Page.printToPDF', preferCSSPageSize=True, printBackground=True)['data'])
        with open(path, 'wb') as f:
            f.write(data)

    def close(self):
        try:
            self.session = None
            self.ask('Browser.close')
        except (EOFError, BrokenPipeError, RuntimeError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.out)
        os.close(self.inn)
        shutil.rmtree(self.home, ignore_errors=True)
