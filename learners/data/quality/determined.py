"""Find columns that one to three others (nearly) determine."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ...common.sentences import Listed, Sentence, paragraph, say
from ..determination import DeterminedGroup, consequence, groups_by_name
from .finding import Finding, Fix, leave_out, warning
from .inspection import Inspection
from .level_counts import level_counts
from .registry import check
from .sum_scores import sum_scores

EXACT = ("duplicate_numbers", "duplicate_levels", "linear_dependence")  # checks that report exact copies and sums
MAX_OTHERS = 2  # maximum number of fixes that leave out another column of the group


@check("determined", needs_rows=True)
def determined(inspection: Inspection) -> list[Finding]:
    """Return a warning for each group of columns that determine one another, unless another check reports it.

    The groups are those that a run reports, whatever the order of the columns.
    """
    names = inspection.dataset.names
    reported = [finding for name in EXACT for finding in inspection.findings(name)]
    known = [{score.name, *score.parts} for score in inspection.once(sum_scores)]
    known += [set(finding.columns) for finding in reported if finding.code == "linear_dependence"]
    copies = {name for finding in reported if finding.code == "duplicate" for name in finding.columns}
    # A column that names rows or groups, such as households, determines others, but nothing can be learned from that.
    naming = [finding for key in ("counters", "keys", "groups") for finding in inspection.findings(key)]
    without = {name for finding in naming if finding.code != "possible_id" for name in finding.columns}
    if inspection.levels is not None:
        counts = inspection.once(level_counts)
        without |= {*counts.constant, *counts.id_like, *counts.many}
    groups: dict[tuple[int, ...], list[DeterminedGroup]] = defaultdict(list)
    for group in groups_by_name(inspection.dataset):
        members = {names[k] for k in (group.target, *group.by)}
        is_copy = members & copies if group.form == "copy" else names[group.target] in copies
        if not (members & without or is_copy or any(members <= one for one in known)):
            groups[group.by if len(group.by) == 1 else (*group.by, group.target)].append(group)
    return [_finding(inspection, names, group) for group in groups.values()]


def _finding(inspection: Inspection, names: Sequence[str], groups: list[DeterminedGroup]) -> Finding:
    """Return the finding on columns that the same others determine."""
    targets = [names[group.target] for group in groups]
    listed = Listed([_clause(group, names) for group in groups], "; ")
    fixes = [leave_out(inspection.plan, targets), *_others(inspection, names, groups[0])]
    return warning("determined", targets, paragraph(say("{listed}.", listed=listed), consequence(groups)), *fixes)


def _clause(group: DeterminedGroup, names: Sequence[str]) -> Sentence:
    of_two = group.form == "copy"
    return say("columns {clause}" if of_two else "column {clause}", clause=group.clause(names))


def _others(inspection: Inspection, names: Sequence[str], group: DeterminedGroup) -> list[Fix]:
    """Return the fixes that leave out another column of a group instead of its target."""
    others = group.by[:MAX_OTHERS] if group.mutual else ()
    return [leave_out(inspection.plan, [names[k]]) for k in others]
