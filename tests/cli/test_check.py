BROKEN = '''
from rlvr_gym.envs import SingleTurnEnv, register
from rlvr_gym.types import Task

class Leaky(SingleTurnEnv):
    """Show the answer in the question."""
    def __init__(self):
        super().__init__("number")
    def draw(self, rng):
        n = int(rng.integers(0, 1000))
        return Task(id=f"leaky:{n}", prompt=f"Say {n}.", reference=n)
    def oracle(self, task):
        return str(task.reference + 1)

register("leaky", Leaky)
'''


def test_an_environment_of_ours_keeps_its_contract(shell):
    result = shell("check", "sums-v0")
    assert (result.code, result.err) == (0, "")
    assert "gymnasium accepts it" in result.out
    assert result.out.rstrip().endswith("claims hold")


def test_a_verifier_of_ours_keeps_its_contract(call):
    result = call("check", "number")
    assert result.code == 0, result.out
    assert "any text gets a verdict" in result.out


def test_a_broken_environment_fails_with_the_claim_that_fails(shell, tmp_path):
    (tmp_path / "leaky.py").write_text(BROKEN)
    result = shell("check", "leaky", "--file", tmp_path / "leaky.py")
    assert (result.code, result.err) == (1, "")
    (line,) = [line for line in result.out.splitlines() if "the oracle scores 1" in line]
    assert "fails" in line
    assert "1 of " in result.out


def test_an_unknown_name_gets_the_nearest(call):
    result = call("check", "sum-v0")
    assert (result.code, result.err) == (
        2,
        "error: No env or verifier is named 'sum-v0'. Did you mean 'sums-v0'?\n",
    )


def test_a_wrong_setting_is_one_line(call):
    result = call("check", "sums-v0", "--set", "digit=3")
    assert result.code == 2
    assert "digit is not a setting. Did you mean 'digits'?" in result.err


def test_a_missing_file_is_one_line(call, tmp_path):
    result = call("check", "leaky", "--file", tmp_path / "leaky.py")
    assert (result.code, result.err) == (2, f"error: {tmp_path / 'leaky.py'}: no such Python file.\n")


def test_a_file_that_hides_another_module_is_refused(call, tmp_path):
    (tmp_path / "json.py").write_text("")
    result = call("check", "leaky", "--file", tmp_path / "json.py")
    assert result.code == 2
    assert "'json' already names" in result.err


def test_an_example_belongs_to_a_verifier(call):
    assert call("check", "sums-v0", "--reference", "1").code == 2
    assert call("check", "number", "--right", "1").code == 2
    assert call("check", "number", "--reference", "1", "--right", "1").code == 0
