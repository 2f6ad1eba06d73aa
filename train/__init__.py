"""Self-play training: PPO over the batch environment, in which every seat's decisions are learned from."""
