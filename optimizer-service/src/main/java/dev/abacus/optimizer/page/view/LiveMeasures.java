package dev.abacus.optimizer.page.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.optimizer.page.records.Moments;
import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.QualityCounts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What live documents of one epoch were measured to take. The governor's totals survive restarts of
 * workers; before its first report, the counters of the running instances count.
 *
 * @param documents finished documents
 * @param failures dead letters among them
 * @param cost USD per document
 * @param latency seconds per document
 */
record LiveMeasures(long documents, long failures, Moments cost, Moments latency) {

  static LiveMeasures of(ProgramRecords records, long epoch) {
    EpochCounts sum = EpochCounts.none(epoch);
    for (InstanceStatus instance : records.instances()) {
      for (EpochCounts counts : instance.epochs()) {
        if (counts.epoch() == epoch) {
          sum = sum.plus(counts);
        }
      }
    }
    JsonNode governor = records.governor();
    JsonNode total = governor == null ? null : governor.path("totals").get(Long.toString(epoch));
    if (total != null && total.path("documents").asLong() >= sum.documents()) {
      sum =
          new EpochCounts(
              epoch,
              total.path("documents").asLong(),
              total.path("failures").asLong(),
              total.path("cost").asDouble(),
              total.path("costSquares").asDouble(),
              total.path("latency").asDouble(),
              total.path("latencySquares").asDouble());
    }
    return new LiveMeasures(
        sum.documents(),
        sum.failures(),
        new Moments(sum.documents(), sum.cost(), sum.costSquares()),
        new Moments(sum.documents(), sum.latency(), sum.latencySquares()));
  }

  /** Judge scores of the live outputs of an operator; null if none was judged. */
  static @Nullable Moments judged(ProgramRecords records, long epoch, String operator) {
    QualityCounts sum = QualityCounts.none(epoch, operator);
    List<InstanceStatus> instances = records.instances();
    for (InstanceStatus instance : instances) {
      for (QualityCounts counts : instance.quality()) {
        if (counts.epoch() == epoch && counts.operator().equals(operator)) {
          sum = sum.plus(counts);
        }
      }
    }
    return sum.judged() == 0
        ? null
        : new Moments(sum.judged(), sum.quality(), sum.qualitySquares());
  }
}
