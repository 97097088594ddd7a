# Runs each assertion in a process of its own, forked from this one, which has everything loaded. It
# runs sealed off: no network, no files but the system's programs, and no more memory, time and
# processes than its sandbox has. It never reads what it is handed; only the forked ones do.
import ctypes
import gc
import os
import resource
import select
import signal
import socket
import struct
import sys
import time

ASK = struct.Struct("<III")
SIZE = struct.Struct("<I")
ANSWER = struct.Struct("<IBI")
ANSWERED, LATE, SIGNALLED, TOO_LONG, SILENT = range(5)
ASK_BYTES_MAX = 4 << 20
# What a pipe takes at once.
QUESTION_BYTES_MAX = 65536
ANSWER_BYTES_MAX = 65536
MEMORY_EXIT = 3
OPEN_FILES_MAX = 256

# What a running interpreter needs of the kernel when everything is loaded: memory, time, the pipe for
# its answer, and to end. All else ends it, above all open, socket, clone, execve and kill.
CALLS = (1, 3, 9, 10, 11, 12, 13, 14, 15, 24, 25, 28, 39, 60, 96, 131, 201, 202, 228, 231, 318)
# These find nothing: the parser looks for a file with the line that it complains about.
BLIND_CALLS = (2, 257)
KILL, ALLOW, NO_SUCH_FILE = 0x80000000, 0x7FFF0000, 0x00050002
X86_64 = 0xC000003E
PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 4, 22, 38


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def filter_program():
    step = struct.Struct("<HBBI")
    answers = [(call, NO_SUCH_FILE) for call in BLIND_CALLS] + [(call, ALLOW) for call in CALLS]
    # Load the processor, end on another one, load the call; then for each: if it is that, answer.
    steps = [(0x20, 0, 0, 4), (0x15, 1, 0, X86_64), (0x06, 0, 0, KILL), (0x20, 0, 0, 0)]
    for call, answer_word in answers:
        steps += [(0x15, 0, 1, call), (0x06, 0, 0, answer_word)]
    steps += [(0x06, 0, 0, KILL)]
    text = ctypes.create_string_buffer(b"".join(step.pack(*one) for one in steps))
    return text, Program(len(steps), ctypes.addressof(text))


LIBC = ctypes.CDLL(None, use_errno=True)
PRCTL = LIBC.prctl
PRCTL.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
FILTER_TEXT, FILTER = filter_program()
FILTER_AT = ctypes.addressof(FILTER)


def close_in(memory_bytes, cpu_seconds):
    for name, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_NOFILE, 0),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_AS, memory_bytes),
    ):
        resource.setrlimit(name, (most, most))
    if PRCTL(PR_SET_SECCOMP, 2, FILTER_AT, 0, 0) != 0:
        os._exit(4)


def read_question(question):
    """Waits for what is asked, in a process that has no other end of it and nothing else open."""
    os.dup2(question, 1)
    os.closerange(2, OPEN_FILES_MAX)
    # Whatever this touches is copied now, and not when somebody waits.
    judged(b"assert result, f'{result!r}'", b"[]")
    text = b""
    while chunk := os.read(1, ASK_BYTES_MAX):
        text += chunk
    (code_size,) = SIZE.unpack_from(text)
    return text[SIZE.size : SIZE.size + code_size], text[SIZE.size + code_size :]


class Server:
    def __init__(self, peer, width, wall_seconds, memory_bytes):
        self.peer = peer
        self.width = width
        self.wall_seconds = wall_seconds
        self.memory_bytes = memory_bytes
        self.heard = bytearray()
        self.running = {}
        self.waiting = []

    def serve(self):
        while True:
            self.start_asked()
            self.prepare()
            ends = [self.peer.fileno()] + list(self.running)
            for end in select.select(ends, [], [], self.patience())[0]:
                if end != self.peer.fileno():
                    self.take(end)
                elif not self.hear():
                    return
            self.end_late()

    def patience(self):
        if not self.running:
            return None
        first = min(one["until"] for one in self.running.values())
        return max(0.0, first - time.monotonic())

    def hear(self):
        chunk = self.peer.recv(1 << 20)
        self.heard += chunk
        return len(chunk) > 0

    def start_asked(self):
        while len(self.running) < self.width and len(self.heard) >= ASK.size:
            number, code_size, data_size = ASK.unpack_from(self.heard)
            size = ASK.size + code_size + data_size
            if size > ASK_BYTES_MAX:
                raise ValueError("too much was asked")
            if len(self.heard) < size:
                return
            code = bytes(self.heard[ASK.size : ASK.size + code_size])
            data = bytes(self.heard[ASK.size + code_size : size])
            del self.heard[:size]
            self.start(number, code, data)

    def start(self, number, code, data):
        end, pid = self.hand_over(code, data) or self.fork(lambda: (code, data))
        until = time.monotonic() + self.wall_seconds
        self.running[end] = {"number": number, "pid": pid, "until": until, "said": b""}

    def prepare(self):
        """Forks processes ahead: nobody waits for an answer while that is done."""
        while len(self.waiting) < self.width:
            question, asking = os.pipe()
            os.set_blocking(asking, False)
            try:
                end, pid = self.fork(lambda: read_question(question))
            except OSError:
                # Too many processes just now: questions are judged without, and the next round tries again.
                os.close(asking)
                return
            finally:
                os.close(question)
            self.waiting.append((asking, end, pid))

    def hand_over(self, code, data):
        """Asks a process that waits; none when the question does not go into its pipe at once."""
        text = SIZE.pack(len(code)) + code + data
        if not self.waiting or len(text) > QUESTION_BYTES_MAX:
            return None
        asking, end, pid = self.waiting.pop(0)
        try:
            is_taken = os.write(asking, text) == len(text)
        except OSError:
            is_taken = False
        os.close(asking)
        if is_taken:
            return end, pid
        os.close(end)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        return None

    def fork(self, question):
        end, other = os.pipe()
        try:
            pid = os.fork()
        except OSError:
            os.close(end)
            os.close(other)
            raise
        if pid == 0:
            self.become(other, question)
        os.close(other)
        return end, pid

    def become(self, other, question):
        status = 5
        try:
            os.dup2(other, 0)
            code, data = question()
            os.closerange(1, OPEN_FILES_MAX)
            close_in(self.memory_bytes, 1)
            text = judged(code, data)
            while text:
                text = text[os.write(0, text) :]
            status = 0
        except MemoryError:
            status = MEMORY_EXIT
        except RecursionError:
            os.write(0, b'{"kind": "refused", "why": "it is nested too deep"}')
            status = 0
        finally:
            os._exit(status)

    def take(self, end):
        one = self.running[end]
        chunk = os.read(end, ANSWER_BYTES_MAX)
        one["said"] += chunk
        if len(one["said"]) > ANSWER_BYTES_MAX:
            self.bury(end, TOO_LONG)
        elif not chunk:
            self.bury(end, ANSWERED)

    def end_late(self):
        now = time.monotonic()
        for end in [end for end, one in self.running.items() if one["until"] <= now]:
            self.bury(end, LATE)

    def bury(self, end, how):
        one = self.running.pop(end)
        os.close(end)
        # Also when it seems to have ended: it may only have closed its pipe. One that is ending keeps its code.
        os.kill(one["pid"], signal.SIGKILL)
        status = os.waitpid(one["pid"], 0)[1]
        text = one["said"]
        if how == ANSWERED and os.WIFSIGNALED(status):
            how, text = SIGNALLED, b"%d" % os.WTERMSIG(status)
        elif how == ANSWERED and os.WEXITSTATUS(status) != 0:
            how, text = SILENT, b"%d" % os.WEXITSTATUS(status)
        elif how != ANSWERED:
            text = b""
        self.peer.sendall(ANSWER.pack(one["number"], how, len(text)) + text)


def main():
    path, width, wall_ms, memory_bytes = sys.argv[1:5]
    # Every forked one inherits both.
    for option, value in ((PR_SET_DUMPABLE, 0), (PR_SET_NO_NEW_PRIVS, 1)):
        if PRCTL(option, value, 0, 0, 0) != 0:
            raise SystemExit("the process could not be closed to others")
    if os.uname().machine != "x86_64":
        raise SystemExit("the filter of system calls is written for x86_64")
    # What is looked up on first use is looked up now: the forked ones can open nothing.
    for name in ("ascii", "latin-1", "utf-8", "utf-16"):
        "a".encode(name)
    judged(b"assert result, f'{result!r}'", b"[]")
    judged(b"import os", b"1")
    peer = socket.socket(socket.AF_UNIX)
    peer.connect(path)
    peer.sendall(ANSWER.pack(0, ANSWERED, 0))
    gc.collect()
    gc.freeze()
    gc.disable()
    Server(peer, int(width), int(wall_ms) / 1000, int(memory_bytes)).serve()


main()
