-- Classes whose objects die late more often in {version} than before: late deallocations for a thousand processes of the program.
SELECT now.program AS program, now.class AS class, round(now.late * 1000.0 / np.processes) AS now_per_1000,
  round(coalesce(was.late, 0) * 1000.0 / wp.processes) AS before_per_1000
FROM (SELECT p.program AS program, f.class AS class, count(*) AS late FROM findings f JOIN processes p ON p.process = f.process
      WHERE f.kind = 'late-deallocation' AND p.program_version = '{version}' GROUP BY p.program, f.class) now
JOIN (SELECT program, count(*) AS processes FROM processes WHERE program_version = '{version}' GROUP BY program) np ON np.program = now.program
JOIN (SELECT program, count(*) AS processes FROM processes WHERE program_version <> '{version}' GROUP BY program) wp ON wp.program = now.program
LEFT JOIN (SELECT p.program AS program, f.class AS class, count(*) AS late FROM findings f JOIN processes p ON p.process = f.process
      WHERE f.kind = 'late-deallocation' AND p.program_version <> '{version}' GROUP BY p.program, f.class) was
  ON was.program = now.program AND was.class = now.class
WHERE now.late * 1.0 / np.processes > coalesce(was.late, 0) * 1.0 / wp.processes
ORDER BY now_per_1000 DESC, program, class
