import { expect, test } from "vitest";
import { SECCOMP_RULES, type SeccompRule, seccompProgram } from "../../src/sandbox/seccomp.ts";
import { ERRNO, SYSCALLS } from "../../src/sandbox/syscalls.ts";

const X86_64 = 0xc000_003e;
const ALLOW = 0x7fff_0000;
const KILL = 0x8000_0000;
const error = (errno: number) => 0x0005_0000 + errno;

/** What the kernel would answer: a small machine for the few instructions that are used. */
function answer(
  program: Buffer,
  call: number,
  args: readonly number[] = [],
  arch = X86_64,
): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call, 0);
  data.writeUInt32LE(arch, 4);
  for (const [at, value] of args.entries()) data.writeUInt32LE(value >>> 0, 16 + 8 * at);
  let loaded = 0;
  for (let at = 0; at < program.length; at += 8) {
    const k = program.readUInt32LE(at + 4);
    const jump = (isTrue: boolean) => 8 * program.readUInt8(at + (isTrue ? 2 : 3));
    switch (program.readUInt16LE(at)) {
      case 0x20:
        loaded = data.readUInt32LE(k);
        break;
      case 0x54:
        loaded = (loaded & k) >>> 0;
        break;
      case 0x15:
        at += jump(loaded === k);
        break;
      case 0x35:
        at += jump(loaded >= k);
        break;
      case 0x06:
        return k;
      default:
        throw new Error("an instruction that is not used");
    }
  }
  throw new Error("the program has no end");
}

const program = seccompProgram();

test("ordinary calls are allowed", () => {
  for (const call of [SYSCALLS.read, SYSCALLS.write, SYSCALLS.execve, SYSCALLS.openat]) {
    expect(answer(program, call)).toBe(ALLOW);
  }
});

test("every rule answers as it says, whatever stands before it", () => {
  for (const rule of SECCOMP_RULES) {
    const args = Array<number>(6).fill(0);
    for (const { argument, equals } of rule.when) args[argument] = equals;
    const earlier = SECCOMP_RULES.find((one) => one.call === rule.call && fits(one, args));
    const expected = earlier?.answer === "allow" ? ALLOW : error(Number(earlier?.answer));
    expect(answer(program, SYSCALLS[rule.call], args)).toBe(expected);
  }
});

function fits({ when }: SeccompRule, args: readonly number[]): boolean {
  return when.every(
    ({ argument, mask, equals }) => ((args[argument] ?? 0) & mask) >>> 0 === equals,
  );
}

test("only four families of sockets are allowed, and of netlink only routes", () => {
  const allowed = Array.from({ length: 256 }, (_, family) => family).filter(
    (family) => answer(program, SYSCALLS.socket, [family, 1, 0]) === ALLOW,
  );
  expect(allowed).toEqual([1, 2, 10, 16]);
  expect(answer(program, SYSCALLS.socket, [16, 3, 15])).toBe(error(ERRNO.EAFNOSUPPORT));
  expect(answer(program, SYSCALLS.socketpair, [1, 1, 0])).toBe(ALLOW);
  expect(answer(program, SYSCALLS.socketpair, [40, 1, 0])).toBe(error(ERRNO.EAFNOSUPPORT));
});

test("a clone may make a process and no namespace", () => {
  expect(answer(program, SYSCALLS.clone, [0x0120_0011])).toBe(ALLOW);
  for (const bit of [
    0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000,
  ]) {
    expect(answer(program, SYSCALLS.clone, [0x11 | bit])).toBe(error(ERRNO.EPERM));
  }
});

test("a terminal cannot be written to as if somebody typed", () => {
  expect(answer(program, SYSCALLS.ioctl, [0, 0x5412])).toBe(error(ERRNO.EPERM));
  expect(answer(program, SYSCALLS.ioctl, [0, 0x5401])).toBe(ALLOW);
});

test("another processor's calls end the task, and those of the other interface do not exist", () => {
  expect(answer(program, SYSCALLS.read, [], 0x4000_0003)).toBe(KILL);
  expect(answer(program, 0x4000_0000 + SYSCALLS.ptrace)).toBe(error(ERRNO.ENOSYS));
});
