def flat: . as $doc
  | reduce (paths(type | . != "object" and . != "array")) as $path ({};
      .[$path | map(tostring) | join(".")] = ($doc | getpath($path)));

[.customers[] | flat] as $rows
| {
    columns: (reduce ($rows[] | keys_unsorted[]) as $key ({}; .[$key] += 1)),
    rows: $rows[:20]
  }
