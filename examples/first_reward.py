"""One problem, two answers, two rewards."""

import rlvr_gym

env = rlvr_gym.make("integral-v0", seed=0, max_level=2)
prompt, info = env.reset()
print(prompt)

for answer in ("\\boxed{x + 1}", env.oracle(env.task)):
    env.reset(options={"task": env.task})
    _, reward, terminated, truncated, info = env.step(answer)
    print(f"{answer}  reward {reward}  ({info['verdict'].reason})")
