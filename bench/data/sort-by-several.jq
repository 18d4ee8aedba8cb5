.employees
| sort_by([.department, -.salary, .hired, .name, .id])
| [to_entries[] | select(.key % 10 == 0) | .key as $at
   | .value | {id, name, department, salary, place: ($at + 1)}]
