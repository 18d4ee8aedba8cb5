(payload/put [:final_filled_template] ctx/final_filled_template)
