"""Events between the table service, which writes them, and everybody who reads them."""
