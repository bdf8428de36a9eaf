"""What a component is; places, handles and issues in its data."""
