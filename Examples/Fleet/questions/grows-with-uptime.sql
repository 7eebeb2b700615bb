-- Sites whose live objects grow by ten an hour or more with the time that a process has run, fitted by least squares over processes.
SELECT program, class, site, processes, round(objects_an_hour) AS objects_an_hour
FROM (
  SELECT p.program AS program, s.class AS class, s.site AS site, count(*) AS processes,
    (count(*) * sum(s.live * (p.duration_ns / 3.6e12)) - sum(s.live * 1.0) * sum(p.duration_ns / 3.6e12))
      / (count(*) * sum((p.duration_ns / 3.6e12) * (p.duration_ns / 3.6e12)) - sum(p.duration_ns / 3.6e12) * sum(p.duration_ns / 3.6e12)) AS objects_an_hour
  FROM sites s JOIN processes p ON p.process = s.process
  GROUP BY p.program, s.class, s.site
  HAVING count(*) >= 10 AND max(p.duration_ns) > min(p.duration_ns)
) fitted
WHERE objects_an_hour >= 10
ORDER BY objects_an_hour DESC, program, class, site
