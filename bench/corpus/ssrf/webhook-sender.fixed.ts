import type { IncomingMessage, ServerResponse } from 'node:http';

const isAllowedCallback = (address: string) => address.startsWith('https://hooks.example.org/');

export async function notify(req: IncomingMessage & { body: any }, res: ServerResponse) {
  const { callback, payload } = req.body;
  if (!isAllowedCallback(callback)) {
    res.statusCode = 400;
    res.end();
    return;
  }
  const answer = await fetch(callback, { method: 'POST', body: JSON.stringify(payload) });
  res.end(String(answer.status));
}
