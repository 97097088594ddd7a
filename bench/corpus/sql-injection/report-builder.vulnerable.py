class ReportBuilder:
    def __init__(self, connection):
        self.connection = connection

    def rows(self, table, limit):
        statement = f"SELECT * FROM {table} LIMIT {int(limit)}"
        with self.connection.cursor() as cursor:
            cursor.execute(statement) # sink: sql-injection
            return cursor.fetchall()
