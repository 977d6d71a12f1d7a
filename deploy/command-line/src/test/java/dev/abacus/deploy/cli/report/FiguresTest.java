package dev.abacus.deploy.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FiguresTest {

  private record Delay(int times, double p50Millis) {}

  private record Run(String takeover, Delay firstCall) {}

  private record Report(
      double documentsPerSecond, Delay fullLoad, List<Run> runs, List<Double> range) {}

  @Test
  void everyFigureOfTheJsonIsALineOrACell() {
    Report report =
        new Report(
            2450.12,
            new Delay(3, 1.5),
            List.of(new Run("restart", new Delay(1, 2)), new Run("survivor", new Delay(12, 0.25))),
            List.of(0.1, 0.25));

    assertThat(Figures.lines(report))
        .containsExactly(
            "runs:",
            "takeover  first call times  first call p50 millis",
            "restart                  1                  2.000",
            "survivor                12                  0.250",
            "documents per second  2450",
            "full load times       3",
            "full load p50 millis  1.500",
            "range                 0.100 – 0.250");
  }

  @Test
  void aListIsATable() {
    assertThat(Figures.lines(List.of(new Delay(1, 2))))
        .containsExactly("times  p50 millis", "    1       2.000");
  }
}
