(payload/put [:template] ctx/initial_template)
(payload/put [:reviewed_summary] ctx/reviewed_summary)
