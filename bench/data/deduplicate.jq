[.customers[] | select(.email)] as $with_email
| (reduce $with_email[] as $customer ({};
    ($customer.email | trim | ascii_downcase) as $email
    | if .[$email] == null or $customer.joined > .[$email].joined
      then .[$email] = $customer else . end)) as $latest
| {
    records: ($with_email | length),
    people: ($latest | length),
    merged: (($with_email | length) - ($latest | length)),
    newest: ([$latest[]] | sort_by([.joined, .id]) | .[-10:] | map({id, name, joined}))
  }
