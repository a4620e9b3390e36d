/** CPU that a run of tests takes: of this process and those it started and waited for, as Linux counts it. */
import { existsSync, readFileSync } from "node:fs";

const OWN = "/proc/self/stat";

/** What Linux counts in, in seconds. */
const TICK = 0.01;

/** Seconds so far; of this process alone where there is no /proc. */
export const cpuSeconds = () => {
  if (!existsSync(OWN)) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
  const stat = readFileSync(OWN, "utf8");
  // utime, stime, cutime and cstime, behind the name, which may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) * TICK;
};

const ofFile = (module) => ({
  file: module.relativeModuleId,
  project: module.project.name,
  seconds: module.meta().cpuSeconds ?? 0,
});

const whole = (seconds) => `${Math.round(seconds)} s`;

/**
 * What a run cost, in lines.
 * @param modules vitest's test modules
 * @param totalSeconds CPU of everything, the build and the runner too
 * @param dearest how many files to list
 */
export const cpuLines = (modules, totalSeconds, dearest) => {
  const files = modules.map(ofFile).toSorted((left, right) => right.seconds - left.seconds);
  const projects = [...new Set(files.map(({ project }) => project))].toSorted();
  const of = (name) => files.filter(({ project }) => project === name).reduce((sum, { seconds }) => sum + seconds, 0);
  const parts = projects.map((name) => `${name} ${whole(of(name))}`);
  return [
    ...files.slice(0, dearest).map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} CPU s  ${file}`),
    `CPU: ${whole(totalSeconds)}, of that ${parts.join(", ")}`,
  ];
};
