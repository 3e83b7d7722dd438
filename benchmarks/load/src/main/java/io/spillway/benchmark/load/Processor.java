package io.spillway.benchmark.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** CPU time as the kernel accounts it, in milliseconds. Linux; elsewhere everything is 0. */
final class Processor {
  /** USER_HZ, which Linux fixes at 100 for user space. */
  private static final long MILLIS_PER_TICK = 10;

  private static final int AFTER_NAME_USER = 11;

  private Processor() {}

  /** Of a process, what it waited for included; 0 once it is gone. */
  static long millis(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      // The name may hold spaces and parentheses.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      long ticks = 0;
      for (int i = 0; i < 4; i++) {
        ticks += Long.parseLong(fields[AFTER_NAME_USER + i]);
      }
      return ticks * MILLIS_PER_TICK;
    } catch (IOException e) {
      return 0;
    }
  }

  /** Of a process and all that it started. */
  static long treeMillis(long pid) {
    try (Stream<ProcessHandle> children =
        ProcessHandle.of(pid).stream().flatMap(ProcessHandle::descendants)) {
      return millis(pid) + children.mapToLong(child -> millis(child.pid())).sum();
    }
  }

  /** Of the whole machine: busy time of all its processors. */
  static long machineMillis() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/stat"))) {
      String[] fields = lines.findFirst().orElse("").split(" +");
      long ticks = 0;
      for (int i = 1; i < Math.min(fields.length, 9); i++) {
        boolean idle = i == 4 || i == 5;
        ticks += idle ? 0 : Long.parseLong(fields[i]);
      }
      return ticks * MILLIS_PER_TICK;
    } catch (IOException e) {
      return 0;
    }
  }

  /** Resident memory of a process in MiB. */
  static double residentMiB(long pid) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }

  /**
   * CPU time between two readings.
   *
   * @param machine of the whole machine
   */
  record Reading(long atMillis, long machine, Map<String, Long> byProcess) {
    Reading {
      byProcess = new LinkedHashMap<>(byProcess);
    }

    Reading since(Reading before) {
      Map<String, Long> used = new LinkedHashMap<>();
      byProcess.forEach(
          (name, value) -> used.put(name, value - before.byProcess.getOrDefault(name, 0L)));
      return new Reading(atMillis - before.atMillis, machine - before.machine, used);
    }

    long total() {
      return byProcess.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The share of the machine that others had, between 0 and 1. */
    double foreignShare(int processors) {
      return atMillis == 0 ? 0 : Math.max(0, machine - total()) / (double) (atMillis * processors);
    }
  }
}
