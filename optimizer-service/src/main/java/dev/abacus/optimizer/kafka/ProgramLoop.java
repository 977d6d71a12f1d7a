package dev.abacus.optimizer.kafka;

import dev.abacus.optimizer.governor.Elapsed;
import dev.abacus.optimizer.governor.Governor;
import dev.abacus.optimizer.learning.LiveLearner;
import dev.abacus.optimizer.loop.LoopStatus;
import dev.abacus.optimizer.loop.OptimizerLoop;
import dev.abacus.optimizer.loop.ProgramDeployment;
import dev.abacus.optimizer.loop.event.ExampleIds;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.optimizer.loop.review.ReviewChooser;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.LearningReport;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.RecordPosition;
import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.schemas.observation.LiveAnswer;
import dev.abacus.schemas.observation.ReviewRequest;
import dev.abacus.schemas.observation.Selection;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Learning;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.supervision.ThreadStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One program: its loop, its topics and its status reports.
 *
 * <p>After an internal error the program is ignored until the process restarts; the other programs
 * continue.
 */
final class ProgramLoop {

  private static final Logger LOG = LoggerFactory.getLogger(ProgramLoop.class);

  /** A look at a source that does not answer holds up the searches of all programs. */
  private static final Duration AFTER_FAILURE = Duration.ofMinutes(5);

  private final String name;
  private final OptimizerLoop loop;
  private final KafkaNames names;
  private final StatusReporter reporter;
  private final LiveLearner learner;

  private @Nullable Program program;
  private @Nullable String failure;

  private final Set<TopicPartition> partitions = new HashSet<>();
  private Set<String> topics = Set.of();
  private boolean topicsKnown;
  private boolean caughtUp;

  private final Corrections corrections = new Corrections();
  private final Reviews reviews;
  private final LiveDocuments liveDocuments = new LiveDocuments();
  private @Nullable Instant waitingSince;
  private Instant sourcesFailedAt = Instant.EPOCH;
  private long badRecords;
  private @Nullable String lastBadRecord;

  ProgramLoop(String name, KafkaSettings settings) {
    this.name = name;
    this.names = settings.names();
    this.loop = new OptimizerLoop(name, settings.loop(), this::fit);
    this.reviews = new Reviews(names.review(name));
    this.learner = new LiveLearner(this::fit);
    this.reporter = new StatusReporter(name, names, settings.statusInterval());
  }

  /** Fitting takes up to a minute, which would delay the reading thread. */
  private void fit(Runnable fit) {
    Thread.ofPlatform().daemon().name("fit-" + name).start(fit);
  }

  /** Name of the program. */
  String name() {
    return name;
  }

  /** The program without overrides; null if it does not exist. */
  @Nullable Program program() {
    return program;
  }

  /**
   * Takes in an event.
   *
   * @return why the event is refused; null if it is accepted
   * @throws TopicsChangedException if the program reads a topic no more
   */
  @Nullable String apply(LoopEvent event) {
    try {
      String refusal = failure == null ? loop.apply(event) : null;
      if (refusal != null) {
        return refusal;
      }
    } catch (RuntimeException e) {
      fail(e);
      return failure;
    }
    follow(event);
    return null;
  }

  private void follow(LoopEvent event) {
    if (event instanceof LoopEvent.ControlSet(ControlRecord.ProgramSet(Program set))) {
      program = set;
      topics = topics(set);
      topicsKnown = false;
    } else if (event instanceof LoopEvent.ControlRemoved(ControlKey.ProgramKey _)) {
      program = null;
      topics = Set.of();
    } else {
      return;
    }
    // Else the loop would know records of a topic that is gone, and miss those that come meanwhile.
    if (!partitions.stream().map(TopicPartition::topic).allMatch(topics::contains)) {
      throw new TopicsChangedException(name);
    }
  }

  /** Ignores the program from now on. */
  void fail(RuntimeException e) {
    LOG.error("The search of {} failed; the program is ignored until a restart", name, e);
    failure = "the search failed; restart the optimizer. The cause is " + e;
  }

  /**
   * Takes in a record of the program's own topics: a corrected result, an answer to a live
   * document, a request for a label, a sample task, an observation or a validation example.
   *
   * @return why it is refused; null if it is accepted
   * @throws BadRecordException if it cannot be used
   */
  @Nullable String take(RecordDecoder decoder, ConsumerRecord<byte[], byte[]> record)
      throws BadRecordException {
    String topic = record.topic();
    if (program != null && isFeedback(topic)) {
      corrections.add(decoder.corrected(record, program));
    } else if (topic.equals(names.learning(name))) {
      learn(decoder.liveAnswer(record));
    } else if (topic.equals(names.review(name))) {
      reviews.take(RecordText.key(record), decoder.request(record));
    } else if (topic.equals(names.samples(name))) {
      return apply(decoder.sample(record));
    } else if (topic.equals(names.observations(name))) {
      return apply(decoder.observation(record, name));
    } else if (program == null) {
      throw new BadRecordException("the program was removed");
    } else {
      return takeExample(decoder, record, program);
    }
    return null;
  }

  private @Nullable String takeExample(
      RecordDecoder decoder, ConsumerRecord<byte[], byte[]> record, Program program)
      throws BadRecordException {
    LoopEvent example = decoder.example(record, program);
    RecordPosition corrected = RecordDecoder.correctedAt(record, program);
    Instant asked = RecordDecoder.asked(record);
    String refusal = apply(example);
    // A program that has the same validation topic may have another one of corrected results.
    if (refusal == null && corrected != null && isFeedback(corrected.topic())) {
      corrections.isExample(RecordText.key(record), corrected);
      if (asked != null) {
        reviews.isExample(RecordText.key(record), asked);
      }
    }
    return refusal;
  }

  /** The activation in force; null if there is none. */
  ControlRecord.@Nullable Activated active() {
    return loop.active();
  }

  /**
   * Live documents to run beside the plan, once there is one, as {@link LiveDocuments#next}.
   *
   * @param examples makes examples of them
   */
  List<ProducerRecord<byte[], byte[]>> nextLive(StreamExamples examples, Instant now) {
    ProgramDeployment deployment = deployment();
    return deployment == null || deployment.active() == null
        ? List.of()
        : liveDocuments.next(deployment.program(), loop::exampleIds, examples, now);
  }

  /** Counts a record of the program's topics: where it is, and why it cannot be used. */
  void countBadRecord(String problem) {
    badRecords++;
    lastBadRecord = problem;
  }

  /** The topics to read; empty if the program does not exist. */
  Set<String> topics() {
    return topics;
  }

  private Set<String> topics(Program program) {
    Set<String> read =
        new HashSet<>(
            List.of(names.validation(program), names.samples(name), names.observations(name)));
    if (program.validation().feedback() != null) {
      read.add(program.validation().feedback());
    }
    if (program.learning() != null) {
      read.add(names.learning(name));
    }
    // Requests have to end after the program has ceased to ask.
    if (program.review() > 0 || partitions.contains(new TopicPartition(names.review(name), 0))) {
      read.add(names.review(name));
    }
    return read;
  }

  private void learn(LiveAnswer answer) {
    Learning learning = program == null ? null : program.learning();
    if (learning != null) {
      learner.take(answer, learning);
    }
  }

  /** The plan with what was learnt from live documents, if it is to be published now. */
  List<ControlRecord> learnt() {
    ProgramDeployment deployment = deployment();
    if (deployment == null) {
      return List.of();
    }
    learner.learn();
    return learner.decide(
        deployment.program(), deployment.active(), deployment.plans(), deployment.nextEpoch());
  }

  /** What was learnt for the active plan. */
  private List<LearningReport> learning() {
    ProgramDeployment deployment = deployment();
    PhysicalPlan plan = deployment == null ? null : deployment.activePlan();
    return deployment == null || plan == null
        ? List.of()
        : learner.report(deployment.program(), plan);
  }

  /** Whether users write to a topic of the program: examples or corrected results. */
  boolean isOfUsers(String topic) {
    return isFeedback(topic) || (program != null && topic.equals(names.validation(program)));
  }

  /** Whether a topic has the corrected results of the program. */
  boolean isFeedback(String topic) {
    return program != null && topic.equals(program.validation().feedback());
  }

  /** The corrected results of the program. */
  Corrections corrections() {
    return corrections;
  }

  /** The requests for labels of the program. */
  Reviews reviews() {
    return reviews;
  }

  /** Records that ask for labels, and that end such requests. A search finishes before it asks. */
  List<ProducerRecord<byte[], byte[]>> review(Instant now) {
    ProgramDeployment deployment = deployment();
    if (program == null || deployment == null) {
      return List.of();
    }
    List<ProducerRecord<byte[], byte[]>> records =
        new ArrayList<>(reviews.settle(program.review(), id -> isLabelled(example(id)), now));
    ReviewChooser chooser = deployment.searching() ? null : loop.reviews();
    if (chooser != null) {
      records.addAll(reviews.ask(program.review(), chooser, now));
    }
    return records;
  }

  private static boolean isLabelled(@Nullable ValidationExample example) {
    return example != null && !example.labels().isEmpty();
  }

  /** The validation example; null if there is none. */
  @Nullable ValidationExample example(String id) {
    return loop.example(id);
  }

  /** What was chosen because of answers if a corrected result becomes an example. */
  Selection selection(CorrectedResult result) {
    ReviewRequest request = reviews.find(result.exampleId());
    ValidationExample example = example(result.exampleId());
    if (request != null) {
      return request.random() ? Selection.NONE : Selection.LABEL;
    }
    if (example != null && isLabelled(example)) {
      return example.selected();
    }
    boolean drawn =
        example != null
            || example(ExampleIds.LIVE + ExampleIds.position(result.exampleId())) != null;
    return drawn ? Selection.LABEL : Selection.DOCUMENT;
  }

  /** Corrected results to make examples of now; empty before all topics are read. */
  List<CorrectedResult> nextCorrections() {
    return caughtUp ? corrections.next() : List.of();
  }

  /** Notes that a source, or its schemas, cannot be read. */
  void sourcesFailed(Instant now) {
    sourcesFailedAt = now;
  }

  /** Whether documents of the sources may be read now: not soon after {@link #sourcesFailed}. */
  boolean mayReadSources(Instant now) {
    return Elapsed.isOver(AFTER_FAILURE, sourcesFailedAt, now);
  }

  /** Whether the partitions of the topics have to be looked up. */
  boolean needsTopics() {
    return program != null && !topicsKnown && failure == null;
  }

  /** Whether something else than records may come soon: topics, or what was learnt for a search. */
  boolean isBusy() {
    ProgramDeployment deployment = deployment();
    return needsTopics() || (deployment != null && deployment.searching());
  }

  /** Has the partitions looked up again. */
  void refreshTopics() {
    topicsKnown = false;
  }

  /** The partitions that are read. */
  Set<TopicPartition> partitions() {
    return partitions;
  }

  /** Records that these partitions are read too. The loop waits until they are read to the end. */
  void attach(Set<TopicPartition> added) {
    partitions.addAll(added);
    topicsKnown = true;
    caughtUp &= added.isEmpty();
  }

  private boolean isCaughtUp(TopicReader reader) {
    if (!caughtUp) {
      caughtUp = !partitions.isEmpty() && reader.hasRead(partitions);
      if (caughtUp) {
        LOG.info("Program '{}' started: all of its samples and observations are read", name);
      }
    }
    return caughtUp;
  }

  /** What the loop decides now; nothing before its topics are read to the end. */
  List<LoopEvent.Caused> decide(TopicReader reader, Instant now) {
    if (program != null && !(topicsKnown && isCaughtUp(reader))) {
      return List.of();
    }
    loop.apply(new LoopEvent.Tick(now));
    return loop.decide();
  }

  /** The state that a governor needs; null without a program or before the topics are read. */
  @Nullable ProgramDeployment deployment() {
    return program == null || !caughtUp || failure != null ? null : loop.deployment();
  }

  /** Whether the loop has waited {@code limit} for validation examples; true once per wait. */
  boolean hasWaitedForExamples(Duration limit, Instant now) {
    LoopStatus status = loop.status();
    if (status == null || status.phase() != LoopStatus.Phase.WAITING_FOR_EXAMPLES) {
      waitingSince = null;
    } else if (waitingSince == null) {
      waitingSince = now;
    } else if (Elapsed.isOver(limit, waitingSince, now)) {
      waitingSince = now;
      return true;
    }
    return false;
  }

  /** The state of the search; null if the program does not exist. */
  @Nullable LoopStatus status() {
    return program == null ? null : loop.status();
  }

  /** Whether the program is ignored because of an internal error. */
  boolean hasFailed() {
    return failure != null;
  }

  /**
   * The status record, if one is due. A search that has failed says so.
   *
   * @param refused why nothing is decided now; null if something is
   */
  Optional<ProducerRecord<byte[], byte[]>> report(
      List<ThreadStatus> threads, Governor governor, @Nullable String refused, Instant now) {
    LoopStatus status = loop.status();
    ProgramDeployment deployment = deployment();
    String failing = failure == null ? refused : failure;
    if (program != null && status == null && failing == null) {
      return Optional.empty();
    }
    String feedback = program == null ? null : program.validation().feedback();
    return reporter.report(
        status,
        new RecordEncoder.SearchHealth(
            badRecords,
            lastBadRecord,
            failing,
            threads,
            deployment == null ? null : governor.report(deployment),
            feedback == null
                ? null
                : corrections.status(
                    feedback, governor.correctionsToNextRound(corrections.examples())),
            program == null || program.review() == 0 ? null : reviews.status(program.review()),
            learning()),
        now);
  }
}
