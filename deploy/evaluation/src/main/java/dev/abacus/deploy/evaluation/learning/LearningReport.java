package dev.abacus.deploy.evaluation.learning;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What was learnt from a stream.
 *
 * @param messages number of messages
 * @param calls calls that the endpoint counted
 * @param callsPerMessage {@code calls} ÷ {@code messages}
 * @param askedOfLast share of the last 2,000 messages, or of all if there are fewer, that were
 *     asked
 * @param alone number of messages that a classifier answered without a call
 * @param audited share of the messages that a classifier could answer and that were asked all the
 *     same, by the status; {@code audit} is what was set
 * @param agreement mean probability that the teacher, asked anew, gives the answers that
 *     classifiers gave; 1 without any
 * @param leastAgreement the least value of this mean over the stream so far, from its 50th answer
 *     on
 * @param accuracy share of all results that are right by the labels
 * @param teacherAccuracy share of the teacher's answers that are right by the labels
 * @param plans number of plans that were published, the first included
 * @param seconds from the first document to the last result
 * @param throughput of the last messages with what was learnt
 */
record LearningReport(
    String order,
    double target,
    double audit,
    int messages,
    long calls,
    double callsPerMessage,
    double askedOfLast,
    int alone,
    double audited,
    double agreement,
    double leastAgreement,
    double accuracy,
    double teacherAccuracy,
    int plans,
    double seconds,
    Throughput throughput) {

  static final int LAST = 2000;

  /** Number of messages whose throughput is measured. */
  static final int STEADY = 3000;

  private static final int FIRST = 50;

  /**
   * The throughput of a stream of which classifiers answer a part, between the first tenth of its
   * results and the last.
   *
   * @param withoutCall the share that classifiers answer, audits not counted
   * @param allAsked results per second without classifiers
   * @param perSecond results per second with them
   * @param ratio {@code perSecond} ÷ {@code allAsked}
   */
  record Throughput(double withoutCall, double allAsked, double perSecond, double ratio) {}

  /** The agreement of classifiers with the teacher, message by message. */
  record Agreement(int alone, double mean, double least) {

    static Agreement of(
        List<StreamMessage> stream, Map<String, String> given, Set<String> asked, Teacher teacher) {
      int alone = 0;
      double sum = 0;
      double least = 1;
      for (StreamMessage message : stream) {
        String answer = given.get(message.id());
        if (answer != null && !asked.contains(message.id())) {
          alone++;
          sum += teacher.agreement(message, answer);
          least = alone < FIRST ? least : Math.min(least, sum / alone);
        }
      }
      return new Agreement(alone, alone == 0 ? 1 : sum / alone, least);
    }
  }

  static double askedOfLast(List<StreamMessage> stream, Set<String> asked) {
    List<StreamMessage> last = stream.subList(Math.max(0, stream.size() - LAST), stream.size());
    return (double) last.stream().filter(one -> asked.contains(one.id())).count() / last.size();
  }

  static double accuracy(List<StreamMessage> stream, Map<String, String> given) {
    return (double)
            stream.stream().filter(one -> Objects.equals(given.get(one.id()), one.intent())).count()
        / stream.size();
  }
}
