/**
 * Live documents. {@link dev.abacus.topology.live.DocumentWork} is what the asynchronous processor
 * does with each: read it, carry it through the plan of its epoch, write the result or the dead
 * letter. {@link dev.abacus.topology.live.DocumentTopology} puts it between the program's topics.
 */
@NullMarked
package dev.abacus.topology.live;

import org.jspecify.annotations.NullMarked;
