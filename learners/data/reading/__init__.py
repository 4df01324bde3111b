"""Reading of tables from files: text, workbooks, Parquet and the files of statistics programs."""
