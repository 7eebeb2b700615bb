-- For each finding the process whose trace is the shortest to read: which one of many to open.
SELECT fingerprint, process, host, events
FROM (
  SELECT f.fingerprint AS fingerprint, p.process AS process, p.host AS host, p.events AS events,
    row_number() OVER (PARTITION BY f.fingerprint ORDER BY p.events, p.process) AS place
  FROM findings f JOIN processes p ON p.process = f.process
  WHERE NOT p.is_damaged
) ranked
WHERE place = 1
ORDER BY fingerprint
