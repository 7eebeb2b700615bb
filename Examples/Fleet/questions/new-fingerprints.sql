-- Findings that no process had before the first one of {version} started: on how many hosts.
SELECT f.fingerprint AS fingerprint, min(f.title) AS title, count(DISTINCT f.host) AS hosts, count(DISTINCT f.process) AS processes
FROM findings f
GROUP BY f.fingerprint
HAVING min(f.started_ns) >= (SELECT min(p.started_ns) FROM processes p WHERE p.program_version = '{version}')
ORDER BY hosts DESC, fingerprint
