"""Schedule: every task once, long ones first, no worker without work."""

from hypothesis import given, settings
from hypothesis import strategies as st

from sklearn_cvtest._engine._workers import Schedule


@st.composite
def work(draw):
    """Draw groups of columns, and which of them are missing in which splits."""
    n_columns = draw(st.integers(1, 6))
    columns = draw(st.permutations(range(n_columns)))
    cuts = draw(st.sets(st.integers(1, n_columns), max_size=3)) | {n_columns}
    groups, start = [], 0
    for stop in sorted(cuts):
        groups.append(columns[start:stop])
        start = stop
    some = st.lists(st.integers(0, n_columns - 1), unique=True, min_size=1)
    return draw(st.dictionaries(st.integers(0, 9), some, max_size=6)), groups


@settings(max_examples=60, deadline=None)
@given(work(), st.integers(1, 40), st.data())
def test_schedule_hands_out_everything_missing_once(drawn, n_workers, data):
    missing, groups = drawn
    schedule, seen = Schedule(missing, groups, n_workers), []
    for split, columns in schedule:
        assert any(set(columns) <= set(group) for group in groups)
        seen += [(split, column) for column in columns]
        if data.draw(st.booleans()):
            schedule.learn(columns, data.draw(st.floats(0, 100)))
    every = [(split, column) for split in missing for column in missing[split]]
    assert sorted(seen) == sorted(every)


def test_schedule_starts_every_group_then_the_longest():
    schedule = Schedule({split: [0, 1, 2] for split in range(3)}, [[0], [1], [2]])
    handed = []
    for split, (column,) in schedule:
        handed.append((column, split))
        schedule.learn([column], [1.0, 9.0, 4.0][column])
    assert [column for column, _ in handed] == [0, 1, 2, 1, 1, 2, 2, 0, 0]
    assert [split for column, split in handed if column == 1] == [0, 1, 2]


def test_schedule_takes_groups_of_unknown_time_before_known_short_ones():
    schedule = Schedule({split: [0, 1] for split in range(2)}, [[0], [1]])
    tasks = iter(schedule)
    assert [next(tasks), next(tasks)] == [(0, [0]), (0, [1])]
    schedule.learn([0], 5.0)  # group 1 is still running
    assert next(tasks) == (1, [1])


def finished(schedule, seconds, n_workers):
    """Return when each of several workers would be done."""
    free = [0.0] * n_workers
    for _, columns in schedule:
        worker = free.index(min(free))
        spent = sum(seconds[column] for column in columns)
        free[worker] += spent
        schedule.learn(columns, spent)
    return free


def test_short_tasks_fill_the_end():
    seconds = {0: 1.0, 1: 1.0, 2: 30.0}
    missing = {split: [0, 1, 2] for split in range(5)}
    ends = finished(Schedule(missing, [[0], [1], [2]], 2), seconds, 2)
    assert max(ends) < 5 + 3 * 30  # as if the long ones came last


def test_groups_are_cut_where_workers_would_idle():
    missing = {split: [0, 1, 2, 3] for split in range(2)}
    together = [columns for _, columns in Schedule(missing, [[0, 1, 2, 3]], 3)]
    assert together == [[0, 1, 2, 3]] * 2
    apart = [columns for _, columns in Schedule(missing, [[0, 1, 2, 3]], 4)]
    assert sorted(apart) == [[0, 2], [0, 2], [1, 3], [1, 3]]
    assert len(list(Schedule(missing, [[0, 1, 2, 3]], 100))) == 8
