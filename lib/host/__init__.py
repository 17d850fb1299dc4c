"""All that we know of the agent that runs us; imports nothing of ours."""
