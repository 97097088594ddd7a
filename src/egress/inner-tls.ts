import { constants } from "node:crypto";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { HeadReader } from "./head-reader.ts";
import { type Refusal, refuse } from "./refusal.ts";
import type { RunAuthority } from "./run-authority.ts";

const HANDSHAKE = 0x16;
const TLS_MAJOR = 0x03;

/**
 * Terminates TLS on a connection that asked for a host. The name in the handshake must be that
 * host's: otherwise a listed name would open the way and another would be reached through it.
 *
 * @returns the stream with what the client really says; the refusal when no handshake came about
 */
export async function terminateTls(
  raw: Socket,
  reader: HeadReader,
  host: string,
  options: { readonly authority: RunAuthority; readonly isAlpnOptional: boolean },
): Promise<TLSSocket | Refusal> {
  const first = await reader.peek(2);
  if (first[0] !== HANDSHAKE || first[1] !== TLS_MAJOR) {
    return refuse("plaintext", "expected a TLS handshake after CONNECT");
  }
  const secureContext = await options.authority.contextFor(host);
  reader.release();
  let foreign: string | undefined;
  const socket = new TLSSocket(raw, {
    isServer: true,
    secureContext,
    minVersion: "TLSv1.2",
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_NO_TICKET,
    ALPNProtocols: ["http/1.1"],
    SNICallback: (name, done) => {
      if (name === host) return done(null, secureContext);
      foreign = name;
      done(new Error("foreign server name"));
    },
  });
  const failure = await handshake(socket);
  if (failure !== undefined) {
    return foreign === undefined
      ? handshakeRefusal(failure)
      : refuse("sni", "the server name of the handshake is not the host of CONNECT");
  }
  if (socket.servername !== host)
    return cut(socket, refuse("sni", "the handshake names no server"));
  if (socket.alpnProtocol !== "http/1.1" && !options.isAlpnOptional) {
    return cut(socket, refuse("alpn", "the handshake does not offer http/1.1"));
  }
  return socket;
}

function cut(socket: TLSSocket, refusal: Refusal): Refusal {
  socket.destroy();
  return refusal;
}

/** Settles with the code of what went wrong, or with undefined when the handshake stands. */
function handshake(socket: TLSSocket): Promise<string | undefined> {
  return new Promise((resolve) => {
    socket.once("secure", () => resolve(undefined));
    // Stays in place, so that an error later is a closed connection and not a crash.
    socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "unknown"));
    socket.once("close", () => resolve("closed"));
  });
}

function handshakeRefusal(code: string): Refusal {
  if (/UNSUPPORTED_PROTOCOL|VERSION/.test(code)) {
    return refuse("tls-version", "the handshake offers no TLS of version 1.2 or newer");
  }
  if (/APPLICATION_PROTOCOL|ALPN/.test(code)) {
    return refuse("alpn", "the handshake does not offer http/1.1");
  }
  return refuse("tls", "the TLS handshake failed");
}
