/**
 * The probe that runs inside, beside the service, for whatever the environment has: it starts the service without a shell, asks it
 * until the answer is the wanted one or the time is over, and prints the last answer as one line of
 * JSON. Whatever the service prints goes to standard error. It is read like any output of a sandbox:
 * a service can answer what it likes anyway.
 */
const FOR_NODE = `
const { spawn } = require("node:child_process");
const { writeSync } = require("node:fs");
const { get } = require("node:http");
const { start, port, path, ms, status, body, bytes } = JSON.parse(process.argv[1]);
const until = Date.now() + ms;
let answer;
let exit;
const NOBODY = "nothing listens";
let why = NOBODY;
// A try that the end of the time cut short says less than one before it did.
const late = () => (why === NOBODY ? "no whole answer in time" : why);
const finish = () => {
  const { socket, ...rest } = answer ?? {};
  writeSync(1, JSON.stringify({ started: answer !== undefined, exit, why, ...rest }) + "\\n");
  process.exit(0);
};
const child = spawn(start[0], start.slice(1), { stdio: ["ignore", 2, 2] });
child.on("error", (error) => {
  why = error.code === "ENOENT" ? "there is no program " + start[0] : error.message;
  exit = -1;
});
child.on("exit", (code, signal) => {
  exit = code ?? signal;
});
const ask = (host) => new Promise((resolve) => {
  const headers = { host: "localhost:" + port, connection: "close" };
  const request = get({ host, port, path, headers, agent: false });
  const timer = setTimeout(() => request.destroy(new Error(late())), Math.max(50, Math.min(5000, until - Date.now())));
  const end = () => { clearTimeout(timer); resolve(); };
  request.on("error", (error) => { if (error.code !== "ECONNREFUSED") why = error.message; end(); });
  request.on("response", (response) => {
    const chunks = [];
    let size = 0;
    response.on("data", (chunk) => {
      size += chunk.length;
      if (size <= bytes) chunks.push(chunk);
      else { why = "its answer has more than " + bytes + " bytes"; request.destroy(); end(); }
    });
    response.on("error", end);
    response.on("aborted", end);
    response.on("end", () => {
      answer = { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString("utf8") };
      end();
    });
  });
});
const isWanted = () => answer?.status === status && (body === undefined || answer.body.includes(body));
(async () => {
  let idle = 0;
  while (Date.now() < until && !isWanted() && idle < 8) {
    await ask("127.0.0.1");
    if (answer === undefined) await ask("::1");
    // It may have left something running when it ended; that gets half a second.
    if (exit !== undefined && answer === undefined) idle += 1;
    if (!isWanted()) await new Promise((resolve) => setTimeout(resolve, 50));
  }
  finish();
})();
`;

const FOR_PYTHON = `
import http.client, json, socket, subprocess, sys, time
asked = json.loads(sys.argv[1])
until = time.monotonic() + asked["ms"] / 1000
NOBODY = "nothing listens"
answer, why, idle = None, NOBODY, 0
try:
    child = subprocess.Popen(asked["start"], stdin=subprocess.DEVNULL, stdout=2, stderr=2)
except OSError as error:
    child, why = None, "there is no program %s (%s)" % (asked["start"][0], error.strerror)

def late():
    return "no whole answer in time" if why == NOBODY else why

def ask(host):
    global answer, why
    patience = max(0.05, min(5, until - time.monotonic()))
    connection = http.client.HTTPConnection(host, asked["port"], timeout=patience)
    try:
        connection.putrequest("GET", asked["path"], skip_host=True)
        connection.putheader("host", "localhost:%d" % asked["port"])
        connection.putheader("connection", "close")
        connection.endheaders()
        response = connection.getresponse()
        body = b""
        while True:
            part = response.read1(65536)
            body += part
            if len(body) > asked["bytes"]:
                why = "its answer has more than %d bytes" % asked["bytes"]
                return
            if time.monotonic() > until:
                why = late()
                return
            if not part:
                break
        headers = {name.lower(): value for name, value in response.getheaders()}
        answer = {"status": response.status, "headers": headers, "body": body.decode("utf-8", "replace")}
    except ConnectionRefusedError:
        pass
    except socket.timeout:
        why = late()
    except (OSError, http.client.HTTPException, ValueError) as error:
        why = str(error)
    finally:
        connection.close()

def is_wanted():
    if answer is None or answer["status"] != asked["status"]:
        return False
    return "body" not in asked or asked["body"] in answer["body"]

while time.monotonic() < until and not is_wanted() and idle < 8:
    ask("127.0.0.1")
    if answer is None:
        ask("::1")
    if answer is None and (child is None or child.poll() is not None):
        idle += 1
    if not is_wanted():
        time.sleep(0.05)
told = {"started": answer is not None, "why": why, **(answer or {})}
if child is None or child.poll() is not None:
    told["exit"] = -1 if child is None else child.poll()
print(json.dumps(told), flush=True)
`;

/** How the probe is started, the likelier first; what it is asked comes last, as JSON. */
export const PROBES: readonly (readonly string[])[] = [
  ["node", "-e", FOR_NODE, "--"],
  ["python3", "-I", "-c", FOR_PYTHON],
];
