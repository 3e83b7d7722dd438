/**
 * What happened, in the past tense: the journal's content and the only way state changes. An event
 * carries all that its application needs, so that rows and memo can be advanced apart from each
 * other. Type names are stored; renaming one needs a new journal format.
 */
package io.spillway.scheduler.event;
