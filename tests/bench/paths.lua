-- wrk: asks for the paths of a file one after the other, and tells the figures of the whole run as JSON. What stands in a line
-- behind a tab is posted.
local paths = {}
for line in io.lines(os.getenv("PATHS")) do paths[#paths + 1] = line end
local at = 0

local accepted = os.getenv("ACCEPTED") or ""
local headers = { ["Accept-Encoding"] = accepted ~= "" and accepted or nil, ["X-API-Key"] = os.getenv("KEY"),
  ["Content-Type"] = "application/json" }

request = function()
  at = at % #paths + 1
  local path, body = paths[at]:match("^([^\t]*)\t?(.*)$")
  return wrk.format(body == "" and "GET" or "POST", path, headers, body ~= "" and body or nil)
end

-- Milliseconds between an answer and the next request of its connection: at the same load two servers can be compared.
local pause = tonumber(os.getenv("PAUSE_MS") or "0")
if pause > 0 then
  delay = function() return pause end
end

done = function(summary, latency, _)
  local e = summary.errors
  io.write(string.format('RESULT {"requests":%d,"us":%d,"bytes":%d,"p50_us":%d,"p99_us":%d,"bad":%d}\n',
    summary.requests, summary.duration, summary.bytes, latency:percentile(50), latency:percentile(99),
    e.status + e.connect + e.read + e.write + e.timeout))
end
