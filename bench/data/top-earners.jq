[.employees[] | select(.left | not)]
| group_by(.department)
| map(
    sort_by([-.salary, .id])[:3]
    | to_entries[]
    | {department: .value.department, rank: (.key + 1), name: .value.name, salary: .value.salary})
