(payload/get [])
