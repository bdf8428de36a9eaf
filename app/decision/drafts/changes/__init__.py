"""What changed between two drafts of a step, in a few words for the card that is shown again."""
