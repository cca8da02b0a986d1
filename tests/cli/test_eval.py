import json


def test_a_policy_is_measured_with_intervals(shell, tmp_path):
    out = tmp_path / "report.json"
    answers = 'answers=["7", "not a number"]'
    result = shell(
        *("eval", "sums-v0", "--policy", "scripted", "--policy-set", answers, "--policy-set", "mode=random"),
        *("--tasks", 10, "--n", 4, "--k", "1,2,8", "--seed", 3, "--set", "digits=1", "--out", out),
    )
    assert (result.code, result.err) == (0, "")
    assert "pass@2" in result.out
    assert "pass@8 is undefined for 4 attempts per task" in result.out
    report = json.loads(out.read_text())
    assert (report["num_tasks"], report["num_attempts"], report["seed"]) == (10, 40, 3)
    assert report["accuracy"]["low"] <= report["accuracy"]["mean"] <= report["accuracy"]["high"]
    assert report["pass_at"]["8"] is None
    assert sum(report["statuses"].values()) == 40
    assert len(report["attempts"]) == 40
    assert report["attempts"][0]["verdict"]["verifier"] == "number@1"


def test_the_same_seed_gives_the_same_figures(call, tmp_path):
    def figures(name: str, seed: int) -> dict:
        policy = ("--policy", "scripted", "--policy-set", 'answers=["3", "5"]', "--policy-set", "mode=random")
        assert call("eval", "sums", *policy, "--tasks", 8, "--seed", seed, "--out", tmp_path / name).code == 0
        found = json.loads((tmp_path / name).read_text())
        return {name: value for name, value in found.items() if name != "attempts"}

    assert figures("a", 1) == figures("b", 1)


def test_wrong_use_is_one_line(call, tmp_path):
    for arguments, message in [
        (("sumz", "--policy", "scripted"), "No env is named 'sumz'. Did you mean 'sums"),
        (("sums", "--policy", "scriptd"), "Did you mean 'scripted'?"),
        (("sums", "--policy", "scripted", "--k", "1,x"), "write whole numbers with commas"),
        (("sums", "--policy", "scripted", "--n", "0"), "n must be at least 1"),
        (("sums", "--policy", "scripted", "--set", "digts=1"), "Did you mean 'digits'?"),
        (("sums", "--policy", "scripted", "--out", tmp_path / "none" / "x.json"), "there is no folder"),
        (("sums", "--policy", tmp_path / "none"), str(tmp_path / "none")),
    ]:
        result = call("eval", *arguments)
        assert result.code == 2, result.err
        assert message in result.err
        assert result.err.count("\n") == 1
