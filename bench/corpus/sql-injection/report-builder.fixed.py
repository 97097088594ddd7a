class ReportBuilder:
    def __init__(self, connection):
        self.connection = connection

    def rows(self, table, limit):
        if table not in ("orders", "invoices", "payments"):
            raise ValueError("unknown table")
        statement = f"SELECT * FROM {table} LIMIT {int(limit)}"
        with self.connection.cursor() as cursor:
            cursor.execute(statement)
            return cursor.fetchall()
