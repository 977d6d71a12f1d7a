package dev.abacus.topology.runtime;

import java.util.Objects;
import java.util.function.Function;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Creates a processor anew whenever Kafka Streams opens a task: it may open a processor again after
 * it closed it. So a processor finds its stores open when it is created, and has no state of an
 * earlier opening. It must cancel what it scheduled when it is closed.
 */
public final class FreshProcessor<KI, VI, KO, VO> implements Processor<KI, VI, KO, VO> {

  private final Function<ProcessorContext<KO, VO>, Processor<KI, VI, KO, VO>> create;
  private @Nullable Processor<KI, VI, KO, VO> open;

  /**
   * A processor that is not open.
   *
   * @param create gets the context of the task, with its stores
   */
  public FreshProcessor(Function<ProcessorContext<KO, VO>, Processor<KI, VI, KO, VO>> create) {
    this.create = create;
  }

  @Override
  public void init(ProcessorContext<KO, VO> context) {
    close();
    open = create.apply(context);
    open.init(context);
  }

  @Override
  public void process(Record<KI, VI> record) {
    Objects.requireNonNull(open, "process was called before init").process(record);
  }

  @Override
  public void close() {
    if (open != null) {
      open.close();
      open = null;
    }
  }
}
