import type { Pool } from 'pg';

export class UserRepository {
  constructor(private readonly pool: Pool) {}

  async findByName(name: string) {
    const sql = `SELECT id, name FROM users WHERE name = '${name}'`;
    const { rows } = await this.pool.query(sql); // sink: sql-injection
    return rows;
  }
}
