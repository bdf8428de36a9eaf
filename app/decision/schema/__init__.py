"""Components of a decision, with the places, handles and issues in their data."""
