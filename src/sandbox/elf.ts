import { SYSCALLS } from "./syscalls.ts";

/** One system call: its number, up to six arguments, and where its result goes. */
export interface CallRow {
  readonly call: number;
  /** Whether the first argument is the address of a number rather than the number. */
  readonly isFirstAddress: boolean;
  readonly args: readonly bigint[];
  readonly resultAt: bigint;
}

/** What the program does when its calls are made and it was told to go on. */
export interface Finish {
  /** The byte that must be `g`; anything else ends the program. */
  readonly wordAt: bigint;
  readonly path: bigint;
  readonly argv: bigint;
  /** A command that runs first, and where the descriptor is at which leave is asked for after it. */
  readonly before?: { readonly argv: bigint; readonly gateAt: bigint } | undefined;
  readonly env: bigint;
  /** Where the way in which the task ended is put. */
  readonly statusAt: bigint;
  /** The exit code when the task cannot be started. */
  readonly failure: number;
}

const HEADER_BYTES = 64;
const SEGMENT_BYTES = 56;
const PAGE = 4_096;
const CODE_AT = 0x40_0000n;
/** Where the data of a program begins; pointers into it are known before it is built. */
export const DATA_AT = 0x60_0000n;
const ROW_BYTES = 64;
const PR_SET_DUMPABLE = 4;
const SIGKILL = 9;
/** What the launcher says at the gate: how a command ended, as the kernel counts it. */
export const STATUS_BYTES = 4;
/** The mark in a row's number; numbers of calls are far below. */
const FIRST_IS_ADDRESS = 0x8000_0000;

/**
 * A static program for 64-bit Intel and AMD that makes the calls of a table one after the other.
 * It needs nothing of the file system that it runs in: no interpreter, no library.
 */
export function buildProgram(rows: readonly CallRow[], data: Buffer, finish: Finish): Buffer {
  const tableAt = DATA_AT + BigInt(roundUp(data.length, 16));
  const table = Buffer.concat(rows.map(rowBytes));
  const code = codeFor(tableAt, tableAt + BigInt(table.length), finish);
  const dataSize = Number(tableAt - DATA_AT) + table.length;
  const codeFrom = HEADER_BYTES + 2 * SEGMENT_BYTES;
  const dataFrom = roundUp(codeFrom + code.length, PAGE);
  const file = Buffer.alloc(dataFrom + dataSize);
  writeHeader(file, CODE_AT + BigInt(codeFrom));
  const executable = 5;
  const writable = 6;
  writeSegment(file, HEADER_BYTES, executable, 0, CODE_AT, codeFrom + code.length);
  writeSegment(file, HEADER_BYTES + SEGMENT_BYTES, writable, dataFrom, DATA_AT, dataSize);
  code.copy(file, codeFrom);
  data.copy(file, dataFrom);
  table.copy(file, dataFrom + Number(tableAt - DATA_AT));
  return file;
}

function rowBytes({ call, isFirstAddress, args, resultAt }: CallRow): Buffer {
  const row = Buffer.alloc(ROW_BYTES);
  row.writeUInt32LE((isFirstAddress ? FIRST_IS_ADDRESS : 0) + call, 0);
  for (const [at, value] of args.entries())
    row.writeBigUInt64LE(BigInt.asUintN(64, value), 8 + 8 * at);
  row.writeBigUInt64LE(resultAt, 56);
  return row;
}

/** The loop over the table; then a child becomes the task, and the first process waits for its end. */
function codeFor(from: bigint, to: bigint, finish: Finish): Buffer {
  const row = [
    ...[0x48, 0x8b, 0x03], // mov rax, [rbx]
    ...[0x48, 0x8b, 0x7b, 0x08], // mov rdi, [rbx+8]
    ...[0x0f, 0xba, 0xe0, 0x1f], // bt eax, 31
    ...[0x73, 0x03], // jnc past the next one
    ...[0x48, 0x8b, 0x3f], // mov rdi, [rdi]
    ...[0x25, 0xff, 0xff, 0xff, 0x7f], // and eax, the number without the mark
    ...[0x48, 0x8b, 0x73, 0x10], // mov rsi, [rbx+16]
    ...[0x48, 0x8b, 0x53, 0x18], // mov rdx, [rbx+24]
    ...[0x4c, 0x8b, 0x53, 0x20], // mov r10, [rbx+32]
    ...[0x4c, 0x8b, 0x43, 0x28], // mov r8, [rbx+40]
    ...[0x4c, 0x8b, 0x4b, 0x30], // mov r9, [rbx+48]
    ...[0x0f, 0x05], // syscall
    ...[0x4c, 0x8b, 0x6b, 0x38], // mov r13, [rbx+56]
    ...[0x49, 0x89, 0x45, 0x00], // mov [r13], rax
    ...[0x48, 0x83, 0xc3, 0x40], // add rbx, 64
  ];
  const loop = [
    ...[0x4c, 0x39, 0xe3], // cmp rbx, r12
    ...[0x73, row.length + 2], // jae past the loop
    ...row,
  ];
  const start = taskCode(finish);
  const leave = [
    ...[0xbf, ...u32(finish.failure)], // mov edi, code
    ...[0xb8, ...u32(SYSCALLS.exit_group)], // mov eax, exit_group
    ...[0x0f, 0x05], // syscall
  ];
  return Buffer.from([
    ...[0x48, 0xbb, ...u64(from)], // mov rbx, first row
    ...[0x49, 0xbc, ...u64(to)], // mov r12, behind the last row
    ...loop,
    ...[0xeb, 0x100 - (loop.length + 2)], // jmp to the loop
    ...[0x48, 0xb8, ...u64(finish.wordAt)], // mov rax, where the word is
    ...[0x80, 0x38, 0x67], // cmp byte [rax], 'g'
    ...[0x0f, 0x85, ...u32(start.length)], // jne past all of it
    ...start,
    ...leave,
  ]);
}

/** A child becomes the task; the first process waits, and ends as the task did. */
function taskCode(finish: Finish): number[] {
  // Nobody of the same user may look into the first process or change it, nor hide how the task ended.
  const hide = [
    ...[0xb8, ...u32(SYSCALLS.prctl)], // mov eax, prctl
    ...[0xbf, ...u32(PR_SET_DUMPABLE)], // mov edi, PR_SET_DUMPABLE
    ...[0x31, 0xf6], // xor esi, esi
    ...[0x0f, 0x05], // syscall
  ];
  const end = statusCode(finish);
  const last = stepCode(finish, finish.argv, end);
  if (finish.before === undefined) return [...hide, ...last];
  const { argv, gateAt } = finish.before;
  // Without leave to go on, what came first was all.
  const leave = leaveCode(finish, gateAt, end);
  return [...hide, ...stepCode(finish, argv, [...leave, ...last])];
}

/** A child becomes a command; the first process waits for its end and goes on behind. */
function stepCode(finish: Finish, argv: bigint, behind: readonly number[]): number[] {
  const child = [
    ...[0x48, 0xbf, ...u64(finish.path)], // mov rdi, path
    ...[0x48, 0xbe, ...u64(argv)], // mov rsi, argv
    ...[0x48, 0xba, ...u64(finish.env)], // mov rdx, env
    ...[0xb8, ...u32(SYSCALLS.execve)], // mov eax, execve
    ...[0x0f, 0x05], // syscall
    ...[0xbf, ...u32(finish.failure)], // mov edi, code
    ...[0xb8, ...u32(SYSCALLS.exit_group)], // mov eax, exit_group
    ...[0x0f, 0x05], // syscall
  ];
  const fork = [
    ...[0xb8, ...u32(SYSCALLS.fork)], // mov eax, fork
    ...[0x0f, 0x05], // syscall
    ...[0x85, 0xc0], // test eax, eax
  ];
  const wait = [
    ...[0xb8, ...u32(SYSCALLS.wait4)], // mov eax, wait4
    ...[0x48, 0xc7, 0xc7, 0xff, 0xff, 0xff, 0xff], // mov rdi, -1
    ...[0x48, 0xbe, ...u64(finish.statusAt)], // mov rsi, where the status goes
    ...[0x31, 0xd2], // xor edx, edx
    ...[0x4d, 0x31, 0xd2], // xor r10, r10
    ...[0x0f, 0x05], // syscall
    ...[0x44, 0x39, 0xf0], // cmp eax, r14d
  ];
  // Whatever else ends is buried here; the command's own end is what counts.
  return [
    ...fork,
    ...[0x0f, 0x85, ...u32(child.length)], // jnz past the child's part
    ...child,
    ...[0x41, 0x89, 0xc6], // mov r14d, eax
    ...wait,
    ...[0x75, 0x100 - (wait.length + 2)], // jne to wait
    ...behind,
  ];
}

/**
 * Ends whatever the command left running, tells how it ended, and waits for leave: nothing of the
 * first command sees the surroundings of the second.
 */
function leaveCode(finish: Finish, gateAt: bigint, otherwise: readonly number[]): number[] {
  const buried = [
    ...[0xb8, ...u32(SYSCALLS.wait4)], // mov eax, wait4
    ...[0x48, 0xc7, 0xc7, 0xff, 0xff, 0xff, 0xff], // mov rdi, -1
    ...[0x31, 0xf6], // xor esi, esi
    ...[0x31, 0xd2], // xor edx, edx
    ...[0x4d, 0x31, 0xd2], // xor r10, r10
    ...[0x0f, 0x05], // syscall
    ...[0x85, 0xc0], // test eax, eax
  ];
  const withGate = (call: number, at: bigint, bytes: number) => [
    ...[0x48, 0xb8, ...u64(gateAt)], // mov rax, where the descriptor is
    ...[0x48, 0x8b, 0x38], // mov rdi, [rax]
    ...[0x48, 0xbe, ...u64(at)], // mov rsi, at
    ...[0xba, ...u32(bytes)], // mov edx, bytes
    ...[0xb8, ...u32(call)], // mov eax, call
    ...[0x0f, 0x05], // syscall
  ];
  return [
    ...[0xb8, ...u32(SYSCALLS.kill)], // mov eax, kill
    ...[0x48, 0xc7, 0xc7, 0xff, 0xff, 0xff, 0xff], // mov rdi, everybody
    ...[0xbe, ...u32(SIGKILL)], // mov esi, SIGKILL
    ...[0x0f, 0x05], // syscall
    ...buried,
    ...[0x79, 0x100 - (buried.length + 2)], // jns to bury the next one
    ...withGate(SYSCALLS.write, finish.statusAt, STATUS_BYTES),
    ...[0x48, 0xb8, ...u64(finish.wordAt)], // mov rax, where the word is
    ...[0xc6, 0x00, 0x00], // mov byte [rax], 0
    ...withGate(SYSCALLS.read, finish.wordAt, 1),
    ...[0x48, 0xb8, ...u64(finish.wordAt)], // mov rax, where the word is
    ...[0x80, 0x38, 0x67], // cmp byte [rax], 'g'
    ...[0x0f, 0x84, ...u32(otherwise.length)], // je past the end
    ...otherwise,
  ];
}

/** The exit code of the task, or 128 and the signal that ended it, as shells count. */
function statusCode(finish: Finish): number[] {
  const exit = [
    ...[0xb8, ...u32(SYSCALLS.exit_group)], // mov eax, exit_group
    ...[0x0f, 0x05], // syscall
  ];
  const byCode = [
    ...[0xc1, 0xef, 0x08], // shr edi, 8
    ...[0x81, 0xe7, ...u32(0xff)], // and edi, 255
    ...exit,
  ];
  const bySignal = [
    ...[0x83, 0xe7, 0x7f], // and edi, 127
    ...[0x81, 0xc7, ...u32(128)], // add edi, 128
    ...exit,
  ];
  return [
    ...[0x48, 0xbe, ...u64(finish.statusAt)], // mov rsi, where the status is
    ...[0x8b, 0x3e], // mov edi, [rsi]
    ...[0x40, 0xf6, 0xc7, 0x7f], // test dil, 127
    ...[0x75, byCode.length], // jnz to the signal
    ...byCode,
    ...bySignal,
  ];
}

function u64(value: bigint): number[] {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return [...bytes];
}

function u32(value: number): number[] {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return [...bytes];
}

function writeHeader(file: Buffer, entry: bigint): void {
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(file);
  file.writeUInt16LE(2, 16);
  file.writeUInt16LE(62, 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(entry, 24);
  file.writeBigUInt64LE(BigInt(HEADER_BYTES), 32);
  file.writeUInt16LE(HEADER_BYTES, 52);
  file.writeUInt16LE(SEGMENT_BYTES, 54);
  file.writeUInt16LE(2, 56);
}

function writeSegment(
  file: Buffer,
  at: number,
  flags: number,
  offset: number,
  address: bigint,
  size: number,
): void {
  file.writeUInt32LE(1, at);
  file.writeUInt32LE(flags, at + 4);
  file.writeBigUInt64LE(BigInt(offset), at + 8);
  file.writeBigUInt64LE(address, at + 16);
  file.writeBigUInt64LE(address, at + 24);
  file.writeBigUInt64LE(BigInt(size), at + 32);
  file.writeBigUInt64LE(BigInt(size), at + 40);
  file.writeBigUInt64LE(BigInt(PAGE), at + 48);
}

function roundUp(value: number, to: number): number {
  return Math.ceil(value / to) * to;
}
