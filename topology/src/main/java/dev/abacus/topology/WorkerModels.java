package dev.abacus.topology;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.AnswerReuse;
import dev.abacus.schemas.control.OperatorReuse;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.topology.answer.AnswerStore;
import dev.abacus.topology.answer.AnswerTopic;
import dev.abacus.topology.model.CallCounters;
import dev.abacus.topology.model.ModelInventory;
import dev.abacus.topology.model.Retries;
import dev.abacus.topology.model.RetryPolicy;
import dev.abacus.topology.model.admission.AdmissionController;
import dev.abacus.topology.model.admission.AdmissionTimer;
import dev.abacus.topology.model.media.MediaPolicy;
import dev.abacus.topology.model.openai.Endpoints;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.runtime.OpenCalls;
import dev.abacus.topology.scoring.Judge;
import dev.abacus.topology.scoring.Scorer;
import dev.abacus.topology.spending.Bill;
import dev.abacus.topology.spending.SpendingAccount;
import dev.abacus.topology.spending.SpendingTopic;
import dev.abacus.topology.telemetry.Tracing;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The models of one instance, which its programs share, with what bounds, counts and pays for their
 * calls.
 */
record WorkerModels(
    ModelCatalogue catalogue,
    ModelAccess access,
    CallCounters calls,
    AdmissionController admission,
    OperatorRuntime sampleOperators,
    Scorer scorer,
    OpenCalls openCalls,
    SpendingTopic spending,
    @Nullable AnswerTopic answers,
    Tracing tracing) {

  /** Opens the models, the account and the store of answers. */
  static WorkerModels open(
      WorkerKafka kafka,
      ModelCatalogue catalogue,
      Endpoints endpoints,
      Tracing tracing,
      Supervisor supervisor,
      Clock clock) {
    WorkerConfig config = kafka.config();
    RetryPolicy policy =
        RetryPolicy.DEFAULT.withMaxAttempts(config.getInt(WorkerConfig.MODEL_ATTEMPTS));
    CallCounters calls = new CallCounters();
    Bill bill = new Bill(catalogue, kafka.instance(), clock);
    AdmissionController admission =
        new AdmissionController(
            catalogue,
            config.admission(),
            AdmissionTimer.system(supervisor.watch("admission of model calls")),
            new Random());
    ModelAccess access =
        ModelAccess.of(
            catalogue,
            endpoints,
            mediaPolicy(config),
            Retries.of(policy, new Random()),
            admission,
            List.of(calls, bill),
            tracing);
    return new WorkerModels(
        catalogue,
        access,
        calls,
        admission,
        new OperatorRuntime(access.sampleEmbedders(), access.tokens()::tokenizer),
        new Scorer(new Judge(catalogue)),
        OpenCalls.of(config.getInt(WorkerConfig.IN_FLIGHT)),
        SpendingTopic.start(kafka.clientProperties(), kafka.instance(), bill, supervisor),
        answers(kafka, catalogue, access.inventory(), supervisor, clock),
        tracing);
  }

  private static MediaPolicy mediaPolicy(WorkerConfig config) {
    List<String> hosts = config.getList(WorkerConfig.MEDIA_HOSTS);
    MediaPolicy policy =
        hosts.isEmpty() ? MediaPolicy.BY_REFERENCE : MediaPolicy.fetchedFrom(Set.copyOf(hosts));
    return policy.withPages(config.getInt(WorkerConfig.MEDIA_PAGES));
  }

  private static @Nullable AnswerTopic answers(
      WorkerKafka kafka,
      ModelCatalogue catalogue,
      ModelInventory endpoints,
      Supervisor supervisor,
      Clock clock) {
    AnswerStore.Settings settings = kafka.config().answers();
    return settings == null
        ? null
        : new AnswerTopic(
            kafka.redactingClientProperties(),
            settings,
            name -> {
              ModelCard card = catalogue.find(name);
              return card == null ? null : AnswerStore.identity(card, endpoints.address(card));
            },
            clock,
            kafka.largestMessage(),
            supervisor);
  }

  /**
   * The models for the calls of one program.
   *
   * @param account pays for its documents
   * @param tokens as in {@link ModelAccess#forProgram}
   */
  ModelAccess forProgram(String program, SpendingAccount account, Consumer<TokenCounts> tokens) {
    return access.forProgram(
        program, account, openCalls, tokens, answers == null ? null : answers.store());
  }

  /**
   * The part of the answer store in the calls of a program; null without a store.
   *
   * @param operators the latest requests by operator
   */
  @Nullable AnswerReuse reuse(String program, List<OperatorReuse> operators) {
    return answers == null ? null : answers.store().reuse(program).withOperators(operators);
  }

  /** Forgets a program that has stopped. */
  void forget(String program) {
    spending.forget(program);
    if (answers != null) {
      answers.store().forget(program);
    }
  }
}
