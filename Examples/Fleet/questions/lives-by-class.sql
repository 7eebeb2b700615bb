-- How long the sampled objects of each class lived, in milliseconds.
SELECT l.class AS class, count(*) AS lives, round(avg((l.final_ns - l.allocated_ns) / 1e6)) AS mean_ms, round(max((l.final_ns - l.allocated_ns) / 1e6)) AS longest_ms
FROM lives l
WHERE l.final_ns IS NOT NULL
GROUP BY l.class
ORDER BY lives DESC, class
