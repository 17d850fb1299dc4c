"""What a turn taught: gates, the offline rules, the prompt for a model, and the run that applies either."""
