package dev.abacus.deploy.cluster;

import dev.abacus.schemas.control.BillFold;
import dev.abacus.schemas.control.BillRecord;
import java.util.List;

/** Reads what programs spent from the spending topic. */
public final class BillRecords {

  private BillRecords() {}

  /**
   * The records of a program, each as it was written last.
   *
   * @throws OperationFailedException if the topic is missing or the cluster does not answer
   */
  public static List<BillRecord> read(KafkaConnection connection, String program) {
    String topic = connection.names().spending();
    connection.requireTopics(List.of(topic));
    BillFold fold = new BillFold();
    TopicReader.read(connection, topic, fold::accept);
    return fold.of(program);
  }
}
