import type { Pool } from 'pg';

export class UserRepository {
  constructor(private readonly pool: Pool) {}

  async findByName(name: string) {
    const sql = `SELECT id, name FROM users WHERE name = $1`;
    const { rows } = await this.pool.query(sql, [name]);
    return rows;
  }
}
