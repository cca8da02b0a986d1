"""Parts of the knowledge-graph environment: which questions are drawn, what is shown, and what may be looked up."""
