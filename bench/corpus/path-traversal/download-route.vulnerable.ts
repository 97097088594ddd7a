import { Router, type Request, type Response } from 'express';
import path from 'node:path';

const UPLOADS = path.resolve('uploads');
export const downloads = Router();

downloads.get('/files/:name', (req: Request, res: Response) => {
  const file = path.join(UPLOADS, req.params.name);
  res.sendFile(file); // sink: path-traversal
});
