-- wrk: every answer must be 200 and of one snapshot, that which its header names. PATHS is a file of paths.
local paths, at, threads = {}, 0, {}
for line in io.lines(os.getenv("PATHS")) do paths[#paths + 1] = line end

function setup(thread) threads[#threads + 1] = thread end

function init() bad, mixed, seen = 0, 0, "" end

function request()
  at = at % #paths + 1
  return wrk.format("GET", paths[at])
end

function response(status, headers, body)
  local id = headers["x-snapshot-id"]
  if status ~= 200 or not id then bad = bad + 1 return end
  for named in body:gmatch('"snapshot_id":"(%x+)"') do
    if named ~= id then mixed = mixed + 1 end
  end
  if not seen:find(id, 1, true) then seen = seen .. id .. " " end
end

function done(summary)
  local all_bad, all_mixed, all_seen = 0, 0, ""
  for _, thread in ipairs(threads) do
    all_bad, all_mixed = all_bad + thread:get("bad"), all_mixed + thread:get("mixed")
    all_seen = all_seen .. thread:get("seen")
  end
  local e = summary.errors
  io.write(string.format('RESULT {"requests":%d,"bad":%d,"mixed":%d,"sockets":%d,"cut":%d,"seen":"%s"}\n',
    summary.requests, all_bad, all_mixed, e.connect + e.read + e.write + e.timeout, e.read, all_seen))
end
