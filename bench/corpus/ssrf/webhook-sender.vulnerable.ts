import type { IncomingMessage, ServerResponse } from 'node:http';

export async function notify(req: IncomingMessage & { body: any }, res: ServerResponse) {
  const { callback, payload } = req.body;
  const answer = await fetch(callback, { method: 'POST', body: JSON.stringify(payload) }); // sink: ssrf
  res.end(String(answer.status));
}
